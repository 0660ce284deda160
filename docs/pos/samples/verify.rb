require "json"
require "openssl"

# A Rack application: `run Reports` in config.ru. In Rails, body is request.raw_post.
Reports = lambda do |env|
  body = env["rack.input"].read # as it came in, before JSON.parse
  expected = OpenSSL::HMAC.hexdigest("SHA512", ENV.fetch("SIGNING_SECRET"), body)
  return [401, {}, []] unless OpenSSL.secure_compare(expected, env["HTTP_X_SIGNATURE"].to_s)

  job = JSON.parse(body)
  puts "#{job["orderNumber"]} #{job["status"]}" # Save this before you answer.
  [204, {}, []]
end
