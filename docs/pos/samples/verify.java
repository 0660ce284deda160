import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Reports {
  /** The HMAC-SHA256 of id.timestamp.body, within five minutes of now. `body` is as it came in, before it is parsed. */
  static boolean isGenuine(Headers headers, byte[] body) throws Exception {
    var at = String.valueOf(headers.getFirst("webhook-timestamp"));
    if (!at.matches("\\d{1,12}")) return false;
    if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(at)) > 300) return false;
    var secret = Base64.getDecoder().decode(System.getenv("SIGNING_SECRET"));
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    mac.update((headers.getFirst("webhook-id") + "." + at + ".").getBytes("UTF-8"));
    var expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
    var signatures = String.valueOf(headers.getFirst("webhook-signature")).split(" ");
    return Stream.of(signatures).anyMatch(given -> MessageDigest.isEqual(expected, given.getBytes()));
  }

  public static void main(String[] words) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(3000), 0);
    server.createContext("/report", exchange -> {
      var body = exchange.getRequestBody().readAllBytes();
      var status = 204;
      try {
        if (!isGenuine(exchange.getRequestHeaders(), body)) status = 401;
        else System.out.write(body); // Save this before you answer.
      } catch (Exception unknown) {
        status = 500;
      }
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.start();
  }
}
