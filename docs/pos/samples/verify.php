<?php
/** The HMAC-SHA256 of id.timestamp.body, within five minutes of now. $body is as it came in, before json_decode. */
function isGenuine(string $body): bool
{
    [$id, $at, $signatures] = array_map(
        fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '',
        ['ID', 'TIMESTAMP', 'SIGNATURE'],
    );
    if (!ctype_digit($at) || abs(time() - (int) $at) > 300) {
        return false;
    }
    $digest = hash_hmac('sha256', "$id.$at.$body", base64_decode(getenv('SIGNING_SECRET')), true);
    foreach (explode(' ', $signatures) as $given) {
        if (hash_equals('v1,' . base64_encode($digest), $given)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input');
if (!isGenuine($body)) {
    http_response_code(401);
    exit;
}
$job = json_decode($body, true);
error_log($job['orderNumber'] . ' ' . $job['status']); // Save this before you answer.
http_response_code(204);
