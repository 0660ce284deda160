order = {
    "timestamp": int(time.time()),
    "terminal": "default",
    "currency": "EUR",
    "amount": "12.50",
    "report_url": "https://shop.example.com/report",
    "order_id": "1001",
    "order_number": "A-1001",
}
sale = ask("/v2/paymentjobs", token, order, **{"Idempotency-Key": "sale-1001-card-1"})
while sale["status"] == "PENDING":
    print(sale["terminal"]["state"], flush=True)  # waiting-for-card and so on: show it to the cashier
    # The hub answers when the job changes, or after 15 seconds.
    sale = ask(f"/v2/paymentjobs/{sale['paymentJob']}", token, Prefer="wait=15")
print(sale["status"], sale["error"] or "")  # SUCCESS, FAILURE, CANCELLED or EXPIRED
