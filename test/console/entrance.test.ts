import { exports } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { ORIGIN } from '../support/hub/hub.ts'

it('the console is a page of the hub, from a module that the first request for it loads', async () => {
  const response = await exports.default.fetch(new Request(`${ORIGIN}/console/sign-in`))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await response.text()).toMatch(/^<!doctype html>/)
})
