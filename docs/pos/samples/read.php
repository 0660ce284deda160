<?php
$read = ask("/v2/paymentjobs/{$job['paymentJob']}", $token);
echo $read['status'], "\n"; // PENDING, SUCCESS, FAILURE, CANCELLED or EXPIRED
