capture = ask(
    f"/v2/paymentjobs/{job['paymentJob']}/captures",
    token,
    {"amount": "20.00", "description": "The first of two parcels"},
    **{"Idempotency-Key": "parcel-1"},
)
print(capture["status"])  # PENDING, then SUCCESS or FAILURE
