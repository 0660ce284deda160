import type { Status } from '../domain/job.ts'
import type { PageLanguage } from '../pages/page.tsx'

/** What a notice tells: how the job stands, or why it cannot be paid now. */
export type Notice = Status | 'UNKNOWN' | 'UNREACHABLE'

type Texts = Record<Notice, { title: string; text: string }> & {
  order: string
  amount: string
  wait: string
  back: string
  again: string
}

export const TEXTS: Record<PageLanguage, Texts> = {
  en: {
    SUCCESS: {
      title: 'This order is paid',
      text: 'We have received your payment. You do not need to pay again.',
    },
    PENDING: {
      title: 'Your payment is being processed',
      text: 'We do not know the outcome yet. The shop is told as soon as we do.',
    },
    FAILURE: { title: 'The payment failed', text: 'No money was taken. Go back to the shop to try again.' },
    CANCELLED: {
      title: 'The payment was cancelled',
      text: 'No money was taken. Go back to the shop to try again.',
    },
    EXPIRED: {
      title: 'The time to pay has passed',
      text: 'This payment link is no longer valid. Go back to the shop to order again.',
    },
    UNKNOWN: {
      title: 'This payment does not exist',
      text: 'The link is not complete, or the payment was removed. Go back to the shop and try again.',
    },
    UNREACHABLE: {
      title: 'The payment cannot be started yet',
      text: 'The payment service does not answer at the moment. Nothing was charged. Please try again shortly.',
    },
    order: 'Order',
    amount: 'Amount',
    wait: 'This page moves on by itself in a few seconds.',
    back: 'Back to the shop',
    again: 'Try again',
  },
  nl: {
    SUCCESS: {
      title: 'Deze bestelling is betaald',
      text: 'We hebben je betaling ontvangen. Je hoeft niet nog eens te betalen.',
    },
    PENDING: {
      title: 'Je betaling wordt verwerkt',
      text: 'We weten de uitkomst nog niet. De winkel hoort het zodra wij het weten.',
    },
    FAILURE: {
      title: 'De betaling is mislukt',
      text: 'Er is niets afgeschreven. Ga terug naar de winkel om het opnieuw te proberen.',
    },
    CANCELLED: {
      title: 'De betaling is geannuleerd',
      text: 'Er is niets afgeschreven. Ga terug naar de winkel om het opnieuw te proberen.',
    },
    EXPIRED: {
      title: 'De tijd om te betalen is voorbij',
      text: 'Deze betaallink is niet meer geldig. Ga terug naar de winkel om opnieuw te bestellen.',
    },
    UNKNOWN: {
      title: 'Deze betaling bestaat niet',
      text: 'De link is niet volledig, of de betaling is verwijderd. Ga terug naar de winkel en probeer het opnieuw.',
    },
    UNREACHABLE: {
      title: 'De betaling kan nog niet beginnen',
      text: 'De betaaldienst antwoordt nu niet. Er is niets afgeschreven. Probeer het zo nog eens.',
    },
    order: 'Bestelling',
    amount: 'Bedrag',
    wait: 'Deze pagina gaat over een paar seconden vanzelf verder.',
    back: 'Terug naar de winkel',
    again: 'Opnieuw proberen',
  },
  de: {
    SUCCESS: {
      title: 'Diese Bestellung ist bezahlt',
      text: 'Wir haben Ihre Zahlung erhalten. Sie müssen nicht noch einmal bezahlen.',
    },
    PENDING: {
      title: 'Ihre Zahlung wird bearbeitet',
      text: 'Das Ergebnis steht noch nicht fest. Der Shop erfährt es, sobald wir es wissen.',
    },
    FAILURE: {
      title: 'Die Zahlung ist fehlgeschlagen',
      text: 'Es wurde nichts abgebucht. Gehen Sie zum Shop zurück und versuchen Sie es noch einmal.',
    },
    CANCELLED: {
      title: 'Die Zahlung wurde abgebrochen',
      text: 'Es wurde nichts abgebucht. Gehen Sie zum Shop zurück und versuchen Sie es noch einmal.',
    },
    EXPIRED: {
      title: 'Die Zeit zum Bezahlen ist abgelaufen',
      text: 'Dieser Zahlungslink gilt nicht mehr. Gehen Sie zum Shop zurück und bestellen Sie neu.',
    },
    UNKNOWN: {
      title: 'Diese Zahlung gibt es nicht',
      text: 'Der Link ist unvollständig, oder die Zahlung wurde entfernt. Gehen Sie zum Shop zurück und versuchen Sie es noch einmal.',
    },
    UNREACHABLE: {
      title: 'Die Zahlung kann noch nicht beginnen',
      text: 'Der Zahlungsdienst antwortet gerade nicht. Es wurde nichts abgebucht. Bitte versuchen Sie es gleich noch einmal.',
    },
    order: 'Bestellung',
    amount: 'Betrag',
    wait: 'Diese Seite geht in wenigen Sekunden von selbst weiter.',
    back: 'Zurück zum Shop',
    again: 'Noch einmal versuchen',
  },
  fr: {
    SUCCESS: {
      title: 'Cette commande est payée',
      text: "Nous avons reçu votre paiement. Vous n'avez pas à payer de nouveau.",
    },
    PENDING: {
      title: 'Votre paiement est en cours',
      text: "Nous n'en connaissons pas encore l'issue. La boutique sera informée dès que possible.",
    },
    FAILURE: {
      title: 'Le paiement a échoué',
      text: "Rien n'a été débité. Retournez à la boutique pour réessayer.",
    },
    CANCELLED: {
      title: 'Le paiement a été annulé',
      text: "Rien n'a été débité. Retournez à la boutique pour réessayer.",
    },
    EXPIRED: {
      title: 'Le délai de paiement est dépassé',
      text: "Ce lien de paiement n'est plus valable. Retournez à la boutique pour commander de nouveau.",
    },
    UNKNOWN: {
      title: "Ce paiement n'existe pas",
      text: 'Le lien est incomplet ou le paiement a été supprimé. Retournez à la boutique et réessayez.',
    },
    UNREACHABLE: {
      title: 'Le paiement ne peut pas encore commencer',
      text: "Le service de paiement ne répond pas pour le moment. Rien n'a été débité. Réessayez dans un instant.",
    },
    order: 'Commande',
    amount: 'Montant',
    wait: 'Cette page continue toute seule dans quelques secondes.',
    back: 'Retour à la boutique',
    again: 'Réessayer',
  },
}
