order = {
    "timestamp": int(time.time()),
    "currency": "EUR",
    "amount": "12.50",
    "return_url": "https://shop.example.com/thanks",
    "report_url": "https://shop.example.com/report",
    "payment_method": "ideal",
    "order_id": "1001",
    "order_number": "A-1001",
    "language": "nl-NL",
    "ip_address": "203.0.113.7",
}
job = ask("/v2/paymentjobs", token, order, **{"Idempotency-Key": "order-1001-attempt-1"})
print(job["payUrl"], flush=True)  # where the customer pays
