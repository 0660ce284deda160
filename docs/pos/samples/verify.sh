# body.json has the raw body of the report; WEBHOOK_ID, WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE its headers of these names.
KEY=$(printf %s "$SIGNING_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
DIGEST=$({ printf %s "$WEBHOOK_ID.$WEBHOOK_TIMESTAMP."; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A)
AT=$(printf %s "$WEBHOOK_TIMESTAMP" | grep -xE '[1-9][0-9]{0,11}' || echo 0)
AGE=$(($(date +%s) - AT))
case " $WEBHOOK_SIGNATURE " in
  *" v1,$DIGEST "*) [ "${AGE#-}" -le 300 ] && echo genuine || echo stale ;;
  *) echo forged ;;
esac
