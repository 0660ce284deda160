/** The one style of all pages: readable on a phone first. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#16202e;--soft:#5a6675;--paper:#fff;--ground:#eef1f5;--line:#d5dbe3;--edge:#76818f;--accent:#1f5fd0}
@media(prefers-color-scheme:dark){:root{--ink:#eef2f7;--soft:#a5b0bf;--paper:#1b2430;--ground:#10161e;--line:#364252;--edge:#8b97a6;--accent:#8ab4ff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:1rem;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:1.75rem;background:var(--paper);border:1px solid var(--line);border-radius:.75rem;overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.25;text-wrap:balance}
p{margin:0 0 1rem}
main>:last-child{margin-bottom:0}
.sign{display:grid;place-items:center;width:3rem;height:3rem;margin:0 0 1rem;border-radius:50%;font-size:1.5rem;font-weight:700;color:#fff;background:#5a6675}
.sign.good{background:#1b7f4b}
.sign.good::after{content:'';width:.7rem;height:1.3rem;margin-top:-.3rem;border:solid #fff;border-width:0 .2rem .2rem 0;transform:rotate(45deg)}
.sign.bad{background:#b3261e}
.wait{width:3rem;height:3rem;margin:0 0 1rem;border:.25rem solid var(--line);border-top-color:var(--accent);border-radius:50%;animation:turn 1s linear infinite}
@keyframes turn{to{transform:rotate(1turn)}}
@media(prefers-reduced-motion:reduce){.wait{animation-duration:4s}}
.soft{color:var(--soft);font-size:.9375rem}
.amount{font-size:2rem;font-weight:650;line-height:1.2;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:0 0 1.5rem}
dt{color:var(--soft)}
dd{margin:0;text-align:right}
form{display:grid;gap:.625rem}
button,.button{display:block;width:100%;min-height:3rem;padding:.75rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border:1px solid var(--edge);border-radius:.5rem;background:transparent;color:var(--ink)}
button.first,.button{background:var(--accent);border-color:var(--accent);color:var(--paper)}
button:focus-visible,.button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`
