import { useState } from 'preact/hooks'
import { type Cash, type Drawer, drawerOf, keepDrawer, typedCash } from './cash.ts'
import { Failure, TextField } from './field.tsx'
import { figure, minorOf, money, say } from './speech.ts'
import { useAction } from './use-job.ts'

type Props = { pos: string; day: string; currency: string; cash: readonly Cash[] }

/** Compares the cash that a cashier counts with what should be there: the float and the day's notes of cash. */
export function DrawerCount({ pos, day, currency, cash }: Props) {
  const [drawer, setDrawer] = useState(() => drawerOf(pos, day, currency))
  const sales = cash.filter((one) => one.currency === currency)
  const [isOpen] = useState(sales.length > 0 || drawer.float + drawer.counted !== '')
  const { error, run } = useAction(async (changed: Drawer) => {
    setDrawer(changed)
    keepDrawer(changed)
  })
  const [float, counted] = [typedCash(drawer.float, currency), typedCash(drawer.counted, currency)]
  const expected = sales.reduce((sum, { amountPaid }) => sum + minorOf(amountPaid, currency), float.minor)
  const amounts = {
    expected: money(expected, currency),
    difference: figure(counted.minor - expected, currency),
  }
  const says = float.wrong || counted.wrong || (drawer.counted.trim() && say('difference', amounts))
  const isRight = counted.minor === expected
  return (
    <details open={isOpen}>
      <summary>
        {say('wayCash')} – {currency}
      </summary>
      <div class="fields">
        {(['float', 'counted'] as const).map((name) => (
          <TextField
            name={`${name}-${currency}`}
            label={say(name)}
            value={drawer[name]}
            onChange={(text) => run({ ...drawer, [name]: text })}
            input={{ inputmode: 'decimal' }}
          />
        ))}
      </div>
      <div role="status">{says && <p class={isRight ? 'soft' : 'wrong'}>{says}</p>}</div>
      <Failure error={error} />
    </details>
  )
}
