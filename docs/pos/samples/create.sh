curl -sS --fail-with-body https://hub.example.com/v2/paymentjobs -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: order-1001-attempt-1' -d '{
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
  }'
# In the answer, "paymentJob" is the id of the job, and "payUrl" is where the customer pays.
