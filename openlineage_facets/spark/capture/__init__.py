"""Lineage of the reads, writes and SQL statements of one run.

`LineageCapture` has a `SessionCapture` for each kind of call: it knows their `CapturedSession` and the
`CapturedRun`. One write of the job, `df.write.parquet(path)`::

    LineageCapture.writes
      WriteCapture.write            notes the call in `ReportedWrites`
        plan                        TargetFinder finds what will be written, CapturedSession what is read
          RecordedWrite             add_inputs, plan: inputs, output and column lineage, before the write
        CapturedSession.execute     the job's own call, with a job tag; its result and errors are passed on
        CapturedSession.measure     rows and bytes by the tag; and the commit of a table
        RecordedWrite               add_measured, add_scans, complete; or reject, fail

    RecordedWrite                   connects the output of one write with its inputs
      Recorder                      the inputs and outputs of the run, in the builder of its events
      WriteRun                      the same for a run of the write, with `runs="per_write"`

A SQL statement is the same without a plan: `StatementCapture` executes it, and `CommandCapture` records the
effects found in its analyzed plan. A query or command that no call has captured, such as `df.count()` or
`DeltaTable.merge(...)`, arrives after it was executed, from Spark's listener::

    LineageCapture.query
      QueryCapture.record           a query: its inputs, into the Recorder
        ReportedWrites.has_reported a command: unless a call of the job has reported the same write
        CapturedSession.measure_query
        CommandCapture.record       one RecordedWrite for each effect
      QueryCapture.record_parts     which partitions it has read, into ReadSubsets
"""
