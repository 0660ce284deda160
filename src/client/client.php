<?php

declare(strict_types=1);

/**
 * The payment hub's client for PHP 8.0 and newer, with its curl extension. It needs only this file.
 *
 *     $hub = new PaymentHub('https://hub.example.com', getenv('API_KEY'));
 *     $job = $hub->createPaymentJob($order, 'order-1001-attempt-1');
 *     $paid = $hub->waitFor($job, 300);
 *
 * The client repeats a request that is safe to repeat after a fault of the network, a 429 or a 5xx.
 * A call that fails throws a HubError: decide by its problem. The client keeps the access token in a
 * file that only its owner can read, because PHP forgets everything between two requests.
 */
final class PaymentHub
{
    private const TRIES = 6;
    private ?string $token = null;
    private string $tokenFile;
    /** The headers of the newest answer. */
    private array $got = [];

    /** `$timeout` is how many seconds a call may take with all its retries. */
    public function __construct(
        private string $baseUrl,
        private string $apiKey,
        private int $timeout = 30,
        ?string $tokenFolder = null,
    ) {
        $this->baseUrl = rtrim($baseUrl, '/');
        $name = 'payment-hub-' . hash('sha256', "$this->baseUrl $apiKey");
        $this->tokenFile = ($tokenFolder ?? sys_get_temp_dir()) . "/$name";
    }

    public function paymentMethods(?string $language = null): array
    {
        return $this->call('GET', '/v2/paymentmethods' . self::query(['language' => $language]));
    }

    /** Lists the card terminals that this point of sale may use. */
    public function listTerminals(): array
    {
        return $this->call('GET', '/v2/terminals')['terminals'];
    }

    /** An order at a terminal has a `terminal`. In the answer `amountPaid` is the number 0, not a text, until paid. */
    public function createPaymentJob(array $order, ?string $idempotencyKey = null): array
    {
        return $this->write('/v2/paymentjobs', $order + ['timestamp' => time()], $idempotencyKey);
    }

    public function getPaymentJob(array|string $job): array
    {
        return $this->call('GET', self::path($job));
    }

    /** `$query` takes order_number, order_id, status, from, to, limit and after. */
    public function listPaymentJobs(array $query = []): array
    {
        return $this->call('GET', '/v2/paymentjobs' . self::query($query));
    }

    /**
     * Returns the job once it is not PENDING or has money to capture, or as it stands after the time.
     * `$until` is called with each job that comes meanwhile, and returns true to end the wait itself. A job
     * at a terminal stays PENDING while its state there is `unknown`: it has not failed.
     */
    public function waitFor(array|string $job, int $seconds = 900, ?callable $until = null): array
    {
        $until ??= static fn (array $now): bool => $now['status'] !== 'PENDING' || isset($now['captureBefore']);
        [$end, $now, $etag, $mayWait, $inVain] = [microtime(true) + $seconds, null, null, true, 0];
        while (true) {
            // The hub answers once the job has changed, or without a job after the wait.
            $wait = $now !== null && $mayWait ? max(0, min(50, (int) ($end - microtime(true)))) : 0;
            $headers = [$wait > 0 ? "Prefer: wait=$wait" : null, $etag === null ? null : "If-None-Match: $etag"];
            [$headers[], $asked, $mayWait] = ['X-Request-Id: ' . bin2hex(random_bytes(16)), 0, true];
            try {
                $read = $this->once('GET', self::path($job), null, array_filter($headers), $wait + 15);
                $etag = $this->got['etag'] ?? null;
                // Something on the way may not let the hub wait.
                $inVain = $now === null || isset($this->got['preference-applied']) ? 0 : $inVain + 1;
            } catch (HubError $error) {
                if (!self::isPassing($error) || ($now === null && microtime(true) >= $end)) {
                    throw $error;
                }
                $mayWait = $error->problem !== 'too-many-watchers';
                [$read, $asked, $inVain] = [[], $mayWait ? min($error->retryAfter, 60) : 0, $inVain + 1];
            }
            $now = $read ?: $now;
            $left = max(0, $end - microtime(true));
            if ($now !== null && ($left <= 0 || ($read !== [] && $until($now)))) {
                return $now;
            }
            usleep((int) (1_000_000 * ($inVain > 0 ? min($left, max(0.7 + self::backoff($inVain), $asked)) : 0)));
        }
    }

    /** Captures an amount (`['amount' => '20.00', 'final' => true]`), or all that is left. */
    public function capture(array|string $job, array $capture = [], ?string $idempotencyKey = null): array
    {
        return $this->write(self::path($job) . '/captures', $capture, $idempotencyKey);
    }

    public function captures(array|string $job): array
    {
        return $this->call('GET', self::path($job) . '/captures')['captures'];
    }

    /** Releases reserved money that is not captured. Also accepts a job whose money is already released. */
    public function release(array|string $job): array
    {
        $isDone = static fn (array $now): bool => isset($now['amountReleased']);
        return $this->end($job, 'release', 'capture-nothing-left', $isDone);
    }

    /** Gives an amount back (`['amount' => '5.00', 'description' => '…']`), or all that is left. */
    public function refund(array|string $job, array $refund = [], ?string $idempotencyKey = null): array
    {
        return $this->write(self::path($job) . '/refunds', $refund, $idempotencyKey);
    }

    public function refunds(array|string $job): array
    {
        return $this->call('GET', self::path($job) . '/refunds')['refunds'];
    }

    /** Also accepts a job that is already cancelled. At a terminal, keep waiting while it is PENDING. */
    public function cancel(array|string $job): array
    {
        $isDone = static fn (array $now): bool => $now['status'] === 'CANCELLED';
        return $this->end($job, 'cancel', 'cancel-too-late', $isDone);
    }

    public function reports(array|string $job): array
    {
        return $this->call('GET', self::path($job) . '/reports')['reports'];
    }

    public function resendReport(array|string $job): array
    {
        return $this->call('POST', self::path($job) . '/reports/resend')['reports'];
    }

    public function failingReports(?string $after = null): array
    {
        return $this->call('GET', '/v2/reports' . self::query(['failing' => '1', 'after' => $after]));
    }

    /**
     * Returns the job of a report that the hub has signed. `$body` is the raw body, before
     * json_decode; `$headers` as getallheaders() or a framework gives them. `$secret` is the signing secret, or
     * both while you change it. Refuses a report that the hub signed more than `$tolerance` seconds ago or ahead.
     *
     * @throws ReportError answer 400 to it
     */
    public static function verifyReport(string $body, array $headers, string|array $secret, int $tolerance = 300): array
    {
        $first = static fn ($value): string => (string) (is_array($value) ? reset($value) : $value);
        $given = array_map($first, array_change_key_case($headers));
        $names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
        [$id, $time, $signatures] = array_map(static fn (string $name) => $given[$name] ?? '', $names);
        if ($id === '' || $signatures === '' || preg_match('/^[0-9]+$/D', $time) !== 1) {
            throw new ReportError('signature-missing');
        }
        if (abs(time() - (int) $time) > $tolerance) {
            throw new ReportError('too-old');
        }
        foreach ((array) $secret as $one) {
            $key = base64_decode((string) preg_replace('/^whsec_/', '', $one), true);
            $signed = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", (string) $key, true));
            foreach (explode(' ', $signatures) as $signature) {
                if ($key !== false && $key !== '' && hash_equals($signed, $signature)) {
                    return json_decode($body, true) ?? throw new ReportError('body-unreadable');
                }
            }
        }
        throw new ReportError('signature-wrong');
    }

    /** Ends a payment. Accepts one that has already ended so, because the first answer may be lost. */
    private function end(array|string $job, string $action, string $late, callable $isDone): array
    {
        try {
            return $this->call('POST', self::path($job) . "/$action");
        } catch (HubError $error) {
            $now = $error->problem === $late ? $this->getPaymentJob($job) : null;
            return $now !== null && $isDone($now) ? $now : throw $error;
        }
    }

    /** The client's own key is lost with the process: give one if you may repeat the call after a crash. */
    private function write(string $path, array $body, ?string $idempotencyKey): array
    {
        $key = $idempotencyKey ?? bin2hex(random_bytes(16));
        return $this->call('POST', $path, (object) $body, ["Idempotency-Key: $key"]);
    }

    private function call(string $method, string $path, ?object $body = null, array $headers = []): array
    {
        $end = microtime(true) + $this->timeout;
        $headers[] = 'X-Request-Id: ' . bin2hex(random_bytes(16));
        for ($tries = 1;; $tries++) {
            try {
                $patience = max(1, min(20, $end - microtime(true)));
                return $this->once($method, $path, $body, $headers, $patience);
            } catch (HubError $error) {
                $pause = max($error->retryAfter, self::backoff($tries));
                if (!self::isPassing($error) || $tries === self::TRIES || microtime(true) + $pause > $end) {
                    throw $error;
                }
                usleep((int) ($pause * 1_000_000));
            }
        }
    }

    private static function isPassing(HubError $error): bool
    {
        return $error->problem === 'no-answer' || $error->status === 429 || $error->status >= 500;
    }

    /** Returns the pause (s) after the nth try in vain: it doubles up to ten seconds, less up to a half by chance. */
    private static function backoff(int $tries): float
    {
        return min(0.3 * 2 ** $tries, 10) * random_int(50, 100) / 100;
    }

    private function once(string $method, string $path, ?object $body, array $headers, float $patience): array
    {
        try {
            return $this->send($method, $path, $this->freshToken(), $body, $headers, $patience);
        } catch (HubError $error) {
            if ($error->status !== 401 || $this->token === null) {
                throw $error;
            }
            // The hub no longer accepts the token.
            $this->token = null;
            @unlink($this->tokenFile);
            return $this->send($method, $path, $this->freshToken(), $body, $headers, $patience);
        }
    }

    private function freshToken(): string
    {
        if ($this->token !== null) {
            return $this->token;
        }
        [$token, $until, $mark] = explode(' ', (string) @file_get_contents($this->tokenFile)) + ['', '', ''];
        // Other users may write into this folder. Only the owner of the API key can make the mark.
        if ((int) $until > time() && hash_equals(hash_hmac('sha256', "$token $until", $this->apiKey), $mark)) {
            return $this->token = $token;
        }
        $access = $this->send('GET', '/v1/guardian', $this->apiKey, null, [], 20);
        // Ten minutes early; at least an hour, in case this clock is ahead.
        $until = max($access['expiration'] - 600, time() + 3600);
        $file = (string) tempnam(dirname($this->tokenFile), 'hub'); // with mode 600
        $line = "{$access['token']} $until";
        file_put_contents($file, "$line " . hash_hmac('sha256', $line, $this->apiKey));
        rename($file, $this->tokenFile);
        return $this->token = $access['token'];
    }

    private function send(
        string $method,
        string $path,
        string $bearer,
        ?object $body,
        array $headers,
        float $patience,
    ): array {
        $got = [];
        $curl = curl_init($this->baseUrl . $path);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ($patience * 1000),
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$got): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $got[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        $headers[] = "Authorization: Bearer $bearer";
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
            curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body, JSON_THROW_ON_ERROR));
        }
        curl_setopt($curl, CURLOPT_HTTPHEADER, $headers);
        $text = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        // A refusal may break off: its status and its Retry-After count all the same.
        if ($text === false && $status < 400) {
            throw new HubError('no-answer', curl_error($curl));
        }
        $this->got = $got;
        $answer = $status === 304 ? [] : json_decode((string) $text, true);
        if (is_array($answer) && ($status < 300 || $status === 304)) {
            return $answer;
        }
        $isHubs = $status >= 400 && is_array($answer) && is_string($answer['code'] ?? null);
        throw new HubError(
            $isHubs ? $answer['code'] : 'answer-unreadable',
            $isHubs ? (string) ($answer['detail'] ?? $answer['title'] ?? '') : "What answered $status is not the hub.",
            $status,
            $isHubs ? (array) ($answer['errors'] ?? []) : [],
            $got['x-request-id'] ?? null,
            self::retryAfter($got['retry-after'] ?? '', self::httpDate($got['date'] ?? '') ?? time()),
        );
    }

    /** Returns the seconds that a Retry-After asks to wait, a day at most, or 0 (RFC 9110, section 10.2.3). */
    private static function retryAfter(string $text, int $now): int
    {
        $isNumber = preg_match('/^[0-9]+$/D', $text) === 1;
        return (int) max(0, min($isNumber ? (float) $text : (self::httpDate($text) ?? $now) - $now, 86400));
    }

    /** Reads the three forms of an HTTP date (RFC 9110, section 5.6.7): date_create also takes `tomorrow`. */
    private static function httpDate(string $text): ?int
    {
        $form = '/^\w+,? ((\d\d[ -]\w{3}[ -]\d{2,4}|\w{3} [ \d]\d) \d\d:\d\d:\d\d( GMT| \d{4}))$/D';
        $date = preg_match($form, $text, $parts) === 1 ? date_create($parts[1], timezone_open('UTC')) : false;
        return $date === false ? null : $date->getTimestamp();
    }

    private static function path(array|string $job): string
    {
        return '/v2/paymentjobs/' . rawurlencode(is_array($job) ? $job['paymentJob'] : $job);
    }

    private static function query(array $parameters): string
    {
        $query = http_build_query($parameters);
        return $query === '' ? '' : "?$query";
    }
}

/** A call that failed. `problem` is one of the hub's codes, or `no-answer`, `answer-unreadable`. */
final class HubError extends RuntimeException
{
    public function __construct(
        public string $problem,
        string $message,
        public int $status = 0,
        public array $errors = [],
        public ?string $requestId = null,
        public int $retryAfter = 0,
    ) {
        parent::__construct("$problem: $message");
    }
}

/** A report that is not the hub's, or is too old. Answer 400, and ignore it. */
final class ReportError extends RuntimeException
{
}
