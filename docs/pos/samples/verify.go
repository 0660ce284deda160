package main

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
)

// isGenuine: body is the report as it came in, before it is parsed.
func isGenuine(body []byte, xSignature string) bool {
	mac := hmac.New(sha512.New, []byte(os.Getenv("SIGNING_SECRET")))
	mac.Write(body)
	return hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(xSignature))
}

func report(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil || !isGenuine(body, r.Header.Get("X-Signature")) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var job struct{ OrderNumber, Status string }
	if err := json.Unmarshal(body, &job); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	log.Println(job.OrderNumber, job.Status) // Save this before you answer.
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	http.HandleFunc("/report", report)
	log.Fatal(http.ListenAndServe(":3000", nil))
}
