$sale = ask('/v2/paymentjobs', $token, [
    'timestamp' => time(),
    'terminal' => 'default',
    'currency' => 'EUR',
    'amount' => '12.50',
    'report_url' => 'https://shop.example.com/report',
    'order_id' => '1001',
    'order_number' => 'A-1001',
], ['Idempotency-Key: sale-1001-card-1']);
while ($sale['status'] === 'PENDING') {
    echo $sale['terminal']['state'], "\n"; // waiting-for-card and so on: show it to the cashier
    // The hub answers when the job changes, or after 15 seconds.
    $sale = ask("/v2/paymentjobs/{$sale['paymentJob']}", $token, null, ['Prefer: wait=15']);
}
echo $sale['status'], ' ', $sale['error'], "\n"; // SUCCESS, FAILURE, CANCELLED or EXPIRED
