do {
    // The hub answers when the job changes, or after 15 seconds.
    $read = ask("/v2/paymentjobs/{$job['paymentJob']}", $token, null, ['Prefer: wait=15']);
} while ($read['status'] === 'PENDING');
echo $read['status'], "\n"; // SUCCESS, FAILURE, CANCELLED or EXPIRED
