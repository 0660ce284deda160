import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Reports {
  /** `body` is the report as it came in, before it is parsed. */
  static boolean isGenuine(byte[] body, String xSignature) throws Exception {
    var mac = Mac.getInstance("HmacSHA512");
    mac.init(new SecretKeySpec(System.getenv("SIGNING_SECRET").getBytes("UTF-8"), "HmacSHA512"));
    var expected = HexFormat.of().formatHex(mac.doFinal(body));
    return xSignature != null && MessageDigest.isEqual(expected.getBytes(), xSignature.getBytes());
  }

  public static void main(String[] words) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(3000), 0);
    server.createContext("/report", exchange -> {
      var body = exchange.getRequestBody().readAllBytes();
      var status = 204;
      try {
        if (!isGenuine(body, exchange.getRequestHeaders().getFirst("X-Signature"))) status = 401;
        else System.out.println(new String(body, "UTF-8")); // Save this before you answer.
      } catch (Exception unknown) {
        status = 500;
      }
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.start();
  }
}
