package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// isGenuine: the HMAC-SHA256 of id.timestamp.body, within five minutes of now.
// body is the report as it came in, before it is parsed.
func isGenuine(header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	at, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || time.Since(time.Unix(int64(at), 0)).Abs() > 5*time.Minute {
		return false
	}
	secret, err := base64.StdEncoding.DecodeString(os.Getenv("SIGNING_SECRET"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", header.Get("webhook-id"), timestamp, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal(expected, []byte(given)) {
			return true
		}
	}
	return false
}

func report(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	if err != nil || !isGenuine(r.Header, body) {
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
