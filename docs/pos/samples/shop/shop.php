<?php
/*
 * A shop with a whole integration: it takes orders, sends customers to pay, takes reports, and says how an order stands. Put the hub's
 * client.php next to it, and run it with HUB_URL, API_KEY and SIGNING_SECRET in its environment: php -S localhost:3000 shop.php
 */
require 'client.php';

$hub = new PaymentHub(getenv('HUB_URL'), getenv('API_KEY'));

/**
 * Changes an order, one request at a time: two clicks and a report may come together. Returns it, or null if there is none.
 * Use your database and its transactions instead of files.
 */
function order(string $number, ?callable $change = null, bool $isNew = false): ?array
{
    $name = (getenv('ORDERS') ?: sys_get_temp_dir()) . '/' . hash('sha256', $number) . '.json';
    if (!$isNew && !file_exists($name)) {
        return null;
    }
    $file = fopen($name, 'c+');
    flock($file, LOCK_EX);
    $order = json_decode(stream_get_contents($file), true) ?? [];
    if ($change !== null) {
        $order = $change($order);
        rewind($file);
        ftruncate($file, 0);
        fwrite($file, json_encode($order));
    }
    fclose($file);
    return $order;
}

/** Makes the payment of an order, or finds the one that exists: the key stays the same until that has ended. */
function pay(PaymentHub $hub, array $order): string
{
    $shop = getenv('SHOP_URL') ?: 'http://' . $_SERVER['HTTP_HOST'];
    $job = $hub->createPaymentJob([
        'currency' => $order['currency'],
        'amount' => $order['amount'], // A text, as in the books: never a float.
        'payment_method' => $order['currency'] === 'EUR' ? 'ideal' : 'creditcard', // iDEAL | Wero takes only euros.
        'order_id' => (string) $order['id'],
        'order_number' => $order['order_number'],
        'language' => 'en',
        'ip_address' => '203.0.113.7', // The customer's.
        'return_url' => "$shop/thanks?order_number=" . rawurlencode($order['order_number']),
        'report_url' => "$shop/report",
    ], "order-{$order['id']}-attempt-{$order['attempt']}");
    learn($job);
    return $job['payUrl'];
}

/** Takes in what the hub says of a payment. If that is old or known, nothing changes. */
function learn(array $job): void
{
    order($job['orderNumber'], function (array $order) use ($job): array {
        $id = $job['paymentJob'];
        if (($order['jobs'][$id]['lastUpdate'] ?? '') >= $job['lastUpdate']) {
            return $order;
        }
        $order['jobs'][$id] = $job;
        // Whatever ended the payment before, it is paid once it is SUCCESS. That never changes again.
        if ($job['status'] === 'SUCCESS' && !$order['paid']) {
            $order['paid'] = true;
            $order['handled']++; // Send the goods, once.
        }
        // The customer's next try is another payment, under another key.
        if (in_array($job['status'], ['FAILURE', 'CANCELLED', 'EXPIRED'], true)) {
            $order['attempt'] = count($order['jobs']) + 1;
        }
        return $order;
    });
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$number = $_GET['order_number'] ?? '';

if ($path === '/pay') {
    $wanted = json_decode(file_get_contents('php://input'), true);
    // `attempt` counts the payments that the customer has begun.
    $new = ['id' => (int) (microtime(true) * 1000000), 'attempt' => 1, 'jobs' => [], 'paid' => false, 'handled' => 0];
    $order = order($wanted['order_number'], fn (array $known): array => $known ?: $wanted + $new, true);
    try {
        header('Location: ' . pay($hub, $order), true, 303);
    } catch (HubError $error) {
        error_log($error->getMessage() . ' ' . $error->requestId);
        http_response_code(503);
        echo 'This does not work just now. Please try again.';
    }
} elseif ($path === '/report') {
    // Save what the hub reports before you answer. Do slow work afterwards.
    try {
        learn(PaymentHub::verifyReport(file_get_contents('php://input'), getallheaders(), getenv('SIGNING_SECRET')));
        http_response_code(204);
    } catch (ReportError $error) {
        http_response_code(400);
        echo $error->getMessage();
    }
} elseif (($order = order($number)) === null) {
    http_response_code(404);
    echo 'There is no such order.';
} elseif ($path === '/check') {
    // How an order stands, for hub certify: leave it out of the shop that goes live. The hub reports totals.
    $back = array_sum(array_map(fn (array $job): float => (float) ($job['amountRefunded'] ?? 0), $order['jobs']));
    $standing = ['paid' => $order['paid'], 'handled' => $order['handled'], 'refunded' => number_format($back, 2, '.', '')];
    header('Content-Type: application/json');
    echo json_encode($standing);
} else {
    // The customer is back. Anyone can open this address, so the shop asks the hub.
    foreach (array_keys($order['jobs']) as $job) {
        learn($hub->getPaymentJob($job));
    }
    echo order($number)['paid'] ? 'Thank you. It is paid.' : 'We have no payment yet.';
}
