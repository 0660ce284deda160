require "json"
require "openssl"

# The HMAC-SHA256 of id.timestamp.body, within five minutes of now. body is as it came in, before JSON.parse.
def genuine?(env, body)
  id, at, signatures = %w[ID TIMESTAMP SIGNATURE].map { |name| env["HTTP_WEBHOOK_#{name}"].to_s.b }
  return false unless at.match?(/\A\d+\z/) && (Time.now.to_i - at.to_i).abs <= 300

  secret = ENV.fetch("SIGNING_SECRET").unpack1("m")
  digest = OpenSSL::HMAC.digest("SHA256", secret, "#{id}.#{at}.#{body.b}")
  signatures.split.any? { |given| OpenSSL.secure_compare("v1,#{[digest].pack("m0")}", given) }
end

# A Rack application: `run Reports` in config.ru. In Rails, body is request.raw_post.
Reports = lambda do |env|
  body = env["rack.input"].read
  return [401, {}, []] unless genuine?(env, body)

  job = JSON.parse(body)
  puts "#{job["orderNumber"]} #{job["status"]}" # Save this before you answer.
  [204, {}, []]
end
