# body.json has the raw body of the report, X_SIGNATURE its header of that name.
EXPECTED=$(openssl dgst -sha512 -hmac "$SIGNING_SECRET" body.json | sed 's/.* //')
[ "$EXPECTED" = "$X_SIGNATURE" ] && echo genuine || echo forged
