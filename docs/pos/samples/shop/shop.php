<?php
/*
 * Takes reports: verifies them, keeps the newest of each order, and says how an order stands. Run it with SIGNING_SECRET in its
 * environment: php -S localhost:3000 shop.php
 */

/** Standard Webhooks: the HMAC-SHA256 of id.timestamp.body, at most five minutes old. */
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

/** Where the newest report of an order is kept. Use your database instead of files. */
function fileOf(string $orderNumber): string
{
    return (getenv('JOBS') ?: sys_get_temp_dir()) . '/' . hash('sha256', $orderNumber) . '.json';
}

/** The hub's last report about an order. */
function jobOf(string $orderNumber): array
{
    return json_decode(@file_get_contents(fileOf($orderNumber)) ?: '[]', true);
}

header('Content-Type: application/json');
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $body = file_get_contents('php://input');
    if (!isGenuine($body)) {
        http_response_code(401);
        exit;
    }
    $job = json_decode($body, true);
    // The same report may come twice, and an older one after a newer one.
    if ($job['lastUpdate'] > (jobOf($job['orderNumber'])['lastUpdate'] ?? '')) {
        file_put_contents(fileOf($job['orderNumber']), $body, LOCK_EX); // Save it before you answer.
    }
    exit;
}
// How an order stands: for the customer who is back, and for hub certify.
$job = jobOf($_GET['order_number'] ?? '');
echo json_encode([
    'paid' => ($job['status'] ?? '') === 'SUCCESS',
    'refunded' => $job['amountRefunded'] ?? '0',
]);
