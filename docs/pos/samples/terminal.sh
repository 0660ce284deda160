CREATED=$(ask /v2/paymentjobs "$TOKEN" -H 'Content-Type: application/json' -H 'Idempotency-Key: sale-1001-card-1' -d '{
    "timestamp": '"$(date +%s)"',
    "terminal": "default",
    "currency": "EUR",
    "amount": "12.50",
    "report_url": "https://shop.example.com/report",
    "order_id": "1001",
    "order_number": "A-1001"
  }') || { echo "$CREATED" >&2; exit 1; }
JOB=$(echo "$CREATED" | member paymentJob)

READ=$CREATED
while [ "$(echo "$READ" | member status)" = PENDING ]; do
  echo "$READ" | member state # waiting-for-card and so on: show it to the cashier
  # The hub answers when the job changes, or after 15 seconds.
  READ=$(ask "/v2/paymentjobs/$JOB" "$TOKEN" -H 'Prefer: wait=15') || { echo "$READ" >&2; exit 1; }
done
echo "$READ" | member status # SUCCESS, FAILURE, CANCELLED or EXPIRED
