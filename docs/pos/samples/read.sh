STATUS=PENDING
while [ "$STATUS" = PENDING ]; do
  # The hub answers when the job changes, or after 15 seconds.
  READ=$(ask "/v2/paymentjobs/$JOB" "$TOKEN" -H 'Prefer: wait=15') || { echo "$READ" >&2; exit 1; }
  STATUS=$(echo "$READ" | member status)
done
echo "$STATUS" # SUCCESS, FAILURE, CANCELLED or EXPIRED
