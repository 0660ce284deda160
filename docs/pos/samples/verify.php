<?php
// The report as it came in, before json_decode.
$body = file_get_contents('php://input');
$expected = hash_hmac('sha512', $body, getenv('SIGNING_SECRET'));
if (!hash_equals($expected, $_SERVER['HTTP_X_SIGNATURE'] ?? '')) {
    http_response_code(401);
    exit;
}
$job = json_decode($body, true);
error_log($job['orderNumber'] . ' ' . $job['status']); // Save this before you answer.
http_response_code(204);
