<?php
const HUB = 'https://hub.example.com';

function ask(string $path, string $bearer, ?array $body = null, array $headers = []): array
{
    $headers[] = "Authorization: Bearer $bearer";
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
    }
    $answer = file_get_contents(HUB . $path, false, stream_context_create(['http' => [
        'method' => $body === null ? 'GET' : 'POST',
        'header' => $headers,
        'content' => $body === null ? '' : json_encode($body),
        'timeout' => 20,
        'ignore_errors' => true,
    ]]));
    if ($answer === false) {
        throw new RuntimeException('The hub did not answer.');
    }
    $content = json_decode($answer, true, 512, JSON_THROW_ON_ERROR);
    if (isset($content['code'])) {
        throw new RuntimeException($content['code'] . ': ' . $content['detail']);
    }
    return $content;
}

$access = ask('/v1/guardian', getenv('API_KEY'));
$token = $access['token'];
// Keep it. Ask again some minutes before $access['expiration'] (Unix seconds), and after a 401.
