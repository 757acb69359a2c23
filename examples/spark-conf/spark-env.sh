# Driver and executors are one process here, so Spark need not look for the machine's address.
export SPARK_LOCAL_IP=127.0.0.1
