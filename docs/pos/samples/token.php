<?php
const HUB = 'https://hub.example.com';

function ask(string $path, string $bearer, ?array $body = null, array $headers = []): array
{
    $curl = curl_init(HUB . $path);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 20]);
    $headers[] = "Authorization: Bearer $bearer";
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body));
    }
    curl_setopt($curl, CURLOPT_HTTPHEADER, $headers);
    $answer = curl_exec($curl);
    if ($answer === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status >= 300) {
        throw new RuntimeException("$status $answer"); // a problem: its code and detail say what is wrong
    }
    return json_decode($answer, true, 512, JSON_THROW_ON_ERROR);
}

$access = ask('/v1/guardian', getenv('API_KEY'));
$token = $access['token'];
// Keep it. Ask again some minutes before $access['expiration'] (Unix seconds), and after a 401.
