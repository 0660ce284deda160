CREATED=$(ask /v2/paymentjobs "$TOKEN" -H 'Content-Type: application/json' -H 'Idempotency-Key: order-1001-attempt-1' -d '{
    "timestamp": '"$(date +%s)"',
    "currency": "EUR",
    "amount": "12.50",
    "return_url": "https://shop.example.com/thanks",
    "report_url": "https://shop.example.com/report",
    "payment_method": "ideal",
    "order_id": "1001",
    "order_number": "A-1001",
    "language": "nl-NL",
    "ip_address": "203.0.113.7"
  }') || { echo "$CREATED" >&2; exit 1; }
JOB=$(echo "$CREATED" | member paymentJob)
echo "$CREATED" | member payUrl # where the customer pays
