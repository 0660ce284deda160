ask "/v2/paymentjobs/$JOB/captures" "$TOKEN" -H 'Content-Type: application/json' -H 'Idempotency-Key: parcel-1' \
  -d '{ "amount": "20.00", "description": "The first of two parcels" }' | member status # PENDING, then SUCCESS or FAILURE
