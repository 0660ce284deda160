$refund = ask("/v2/paymentjobs/{$job['paymentJob']}/refunds", $token, [
    'amount' => '5.00',
    'description' => 'A shirt came back',
], ['Idempotency-Key: return-77']);
echo $refund['status'], "\n"; // PENDING, then SUCCESS or FAILURE
