# JOB is the "paymentJob" of the create.
curl -sS --fail-with-body "https://hub.example.com/v2/paymentjobs/$JOB" -H "Authorization: Bearer $TOKEN"
