/** The order that is created over and over. `shop` takes the reports. */
export function orderAt(shop: string): string {
  return JSON.stringify({
    timestamp: 1_790_000_000,
    currency: 'EUR',
    amount: '12.50',
    return_url: `${shop}/thanks?order=1001`,
    report_url: `${shop}/report`,
    payment_method: 'ideal',
    order_id: '1001',
    order_number: 'A-1001',
    language: 'nl',
    ip_address: '203.0.113.7',
  })
}
