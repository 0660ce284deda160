read = {"status": "PENDING"}
while read["status"] == "PENDING":
    # The hub answers when the job changes, or after 15 seconds.
    read = ask(f"/v2/paymentjobs/{job['paymentJob']}", token, Prefer="wait=15")
print(read["status"])  # SUCCESS, FAILURE, CANCELLED or EXPIRED
