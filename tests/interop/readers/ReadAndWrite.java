import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.openlineage.client.OpenLineage;
import io.openlineage.client.OpenLineageClientUtils;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Map;

/** Reads events from standard input, one per line, into classes of openlineage-java, and writes them. */
public final class ReadAndWrite {
  private static final ObjectMapper JSON = OpenLineageClientUtils.newObjectMapper();

  public static void main(String[] arguments) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    PrintStream replies = new PrintStream(System.out, true, UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      replies.println(reply(line));
    }
  }

  private static String reply(String line) throws JsonProcessingException {
    try {
      Object event = JSON.readValue(line, kindOf(line));
      return "{\"event\":" + OpenLineageClientUtils.toJson(event) + "}";
    } catch (IOException | RuntimeException refused) {
      return JSON.writeValueAsString(Map.of("refusal", String.valueOf(refused.getMessage())));
    }
  }

  private static Class<?> kindOf(String line) throws JsonProcessingException {
    Map<?, ?> event = JSON.readValue(line, Map.class);
    if (event.containsKey("run")) {
      return OpenLineage.RunEvent.class;
    }
    return event.containsKey("job") ? OpenLineage.JobEvent.class : OpenLineage.DatasetEvent.class;
  }
}
