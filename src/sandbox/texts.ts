import type { CustomerLanguage } from '../platform/http/headers.ts'
import type { Choice } from '../psp/sandbox/change.ts'

/** Those who test a shop see this page, and no customer: it has fewer languages than theirs. */
export const SANDBOX_LANGUAGES = ['en', 'nl', 'de', 'fr'] as const satisfies readonly CustomerLanguage[]
export type SandboxLanguage = (typeof SANDBOX_LANGUAGES)[number]

type Texts = {
  title: string
  intro: string
  order: string
  slow: string
  rough: string
  unknown: string
} & Record<Choice, string>

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
    rough: 'Paid, at a payment service in trouble:',
    short: 'One cent too little is paid',
    slowly: 'It answers slowly',
    silent: 'It does not answer for a minute',
    refusing: 'It refuses refunds',
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
    rough: 'Betaald, bij een betaaldienst met problemen:',
    short: 'Er wordt een cent te weinig betaald',
    slowly: 'De dienst antwoordt traag',
    silent: 'De dienst antwoordt een minuut niet',
    refusing: 'De dienst weigert terugbetalingen',
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
    rough: 'Bezahlt, bei einem Zahlungsdienst in Schwierigkeiten:',
    short: 'Ein Cent zu wenig wird bezahlt',
    slowly: 'Er antwortet langsam',
    silent: 'Er antwortet eine Minute lang nicht',
    refusing: 'Er lehnt Erstattungen ab',
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
    rough: 'Payé, auprès d’un service de paiement en difficulté :',
    short: 'Un centime de moins est payé',
    slowly: 'Il répond lentement',
    silent: 'Il ne répond pas pendant une minute',
    refusing: 'Il refuse les remboursements',
  },
}
