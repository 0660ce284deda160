import type { CustomerLanguage } from '../platform/http/headers.ts'
import type { Choice } from '../psp/sandbox/change.ts'

/** Those who test a shop see this page, and no customer: it has fewer languages than theirs. */
export const SANDBOX_LANGUAGES = ['en', 'nl', 'de', 'fr'] as const satisfies readonly CustomerLanguage[]
export type SandboxLanguage = (typeof SANDBOX_LANGUAGES)[number]

type Texts = { title: string; intro: string; order: string; slow: string; unknown: string } & Record<
  Choice,
  string
>

/** What the sandbox's checkout page says. */
export const TEXTS: Record<SandboxLanguage, Texts> = {
  en: {
    title: 'Test payment',
    intro: 'No money moves here. Choose how this payment ends.',
    order: 'Description',
    unknown: 'This payment does not exist.',
    paid: 'Paid',
    failed: 'Failed',
    canceled: 'Cancelled',
    expired: 'Expired',
    open: 'Leave it open',
    slow: 'Slow, reserved or late, within a minute:',
    underway: 'On its way, arrives',
    bounced: 'On its way, never arrives',
    authorized: 'Reserved',
    late: 'Expires, arrives late',
  },
  nl: {
    title: 'Testbetaling',
    intro: 'Hier wordt niets afgeschreven. Kies hoe deze betaling afloopt.',
    order: 'Omschrijving',
    unknown: 'Deze betaling bestaat niet.',
    paid: 'Betaald',
    failed: 'Mislukt',
    canceled: 'Geannuleerd',
    expired: 'Verlopen',
    open: 'Openlaten',
    slow: 'Traag, gereserveerd of laat, binnen een minuut:',
    underway: 'Onderweg, komt aan',
    bounced: 'Onderweg, komt niet aan',
    authorized: 'Gereserveerd',
    late: 'Verloopt, komt te laat',
  },
  de: {
    title: 'Testzahlung',
    intro: 'Hier fließt kein Geld. Wählen Sie, wie diese Zahlung endet.',
    order: 'Beschreibung',
    unknown: 'Diese Zahlung gibt es nicht.',
    paid: 'Bezahlt',
    failed: 'Fehlgeschlagen',
    canceled: 'Abgebrochen',
    expired: 'Abgelaufen',
    open: 'Offen lassen',
    slow: 'Langsam, reserviert oder spät, innerhalb einer Minute:',
    underway: 'Unterwegs, kommt an',
    bounced: 'Unterwegs, kommt nicht an',
    authorized: 'Reserviert',
    late: 'Läuft ab, kommt zu spät',
  },
  fr: {
    title: 'Paiement de test',
    intro: "Aucun argent n'est débité ici. Choisissez l'issue de ce paiement.",
    order: 'Description',
    unknown: "Ce paiement n'existe pas.",
    paid: 'Payé',
    failed: 'Échoué',
    canceled: 'Annulé',
    expired: 'Expiré',
    open: 'Laisser ouvert',
    slow: 'Lent, réservé ou en retard, sous une minute :',
    underway: 'En route, arrive',
    bounced: 'En route, jamais arrivé',
    authorized: 'Réservé',
    late: 'Expire, arrive trop tard',
  },
}
