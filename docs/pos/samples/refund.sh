curl -sS --fail-with-body "https://hub.example.com/v2/paymentjobs/$JOB/refunds" -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' -H 'Idempotency-Key: return-77' \
  -d '{ "amount": "5.00", "description": "A shirt came back" }'
