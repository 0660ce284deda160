# JOB is the "paymentJob" of the create.
curl -s "https://hub.example.com/v2/paymentjobs/$JOB" -H "Authorization: Bearer $TOKEN"
