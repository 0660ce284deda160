import type { PageLanguage } from '../pages/page.tsx'
import type { Outcome } from './payment.ts'

type Texts = { title: string; intro: string; order: string; unknown: string } & Record<Outcome, string>

/** What the sandbox's checkout page says. */
export const TEXTS: Record<PageLanguage, Texts> = {
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
  },
}
