refund = ask(
    f"/v2/paymentjobs/{job['paymentJob']}/refunds",
    token,
    {"amount": "5.00", "description": "A shirt came back"},
    **{"Idempotency-Key": "return-77"},
)
print(refund["status"])  # PENDING, then SUCCESS or FAILURE
