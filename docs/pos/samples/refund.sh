ask "/v2/paymentjobs/$JOB/refunds" "$TOKEN" -H 'Content-Type: application/json' -H 'Idempotency-Key: return-77' \
  -d '{ "amount": "5.00", "description": "A shirt came back" }' | member status # PENDING, then SUCCESS or FAILURE
