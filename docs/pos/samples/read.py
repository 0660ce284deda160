read = ask(f"/v2/paymentjobs/{job['paymentJob']}", token)
print(read["status"])  # PENDING, SUCCESS, FAILURE, CANCELLED or EXPIRED
