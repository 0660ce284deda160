import { faultsIn } from '../answer.ts'

/**
 * Stripe's words for why a payment did not begin at its reader, or failed there. The API's codes:
 * https://docs.stripe.com/error-codes, and the type `LastPaymentError.Code` of Stripe's client 23.1.0. The
 * decline codes: https://docs.stripe.com/declines/codes. The codes of readers (`failure_code`) are in no list.
 * A reader that was deleted is a `resource_missing`.
 */
export const FAULTS = faultsIn(
  ['terminal_busy', 'terminal_reader_busy'],
  ['terminal_off', 'terminal_reader_offline terminal_reader_hardware_fault'],
  ['terminal_unreachable', 'terminal_reader_timeout resource_missing'],
  [
    'refused_account',
    'terminal_reader_invalid_location_for_payment terminal_reader_invalid_location_for_activation ' +
      'terminal_location_country_unsupported livemode_mismatch testmode_charges_only account_invalid ' +
      'account_closed platform_account_required not_allowed_on_standard_account action_blocked request_blocked',
  ],
  [
    'refused_method',
    'invalid_card_type payment_intent_incompatible_payment_method payment_method_unactivated token_card_network_invalid',
  ],
  ['refused_amount', 'amount_too_large amount_too_small invalid_charge_amount'],
  [
    'declined',
    'card_declined expired_card processing_error card_decline_rate_limit_exceeded payment_method_customer_decline ' +
      'payment_method_provider_decline payment_intent_authentication_failure payment_intent_payment_attempt_failed ' +
      'authentication_required authentication_not_handled mobile_device_authentication_required approve_with_id ' +
      'call_issuer card_not_supported card_velocity_exceeded currency_not_supported do_not_honor do_not_try_again ' +
      'duplicate_transaction fraudulent generic_decline incorrect_number incorrect_cvc incorrect_pin incorrect_zip ' +
      'incorrect_address insufficient_funds invalid_account invalid_amount invalid_cvc invalid_expiry_month ' +
      'invalid_expiry_year invalid_number invalid_pin issuer_not_available lost_card merchant_blacklist ' +
      'new_account_information_available no_action_taken not_permitted offline_pin_required ' +
      'online_or_offline_pin_required pickup_card pin_try_exceeded reenter_transaction restricted_card ' +
      'revocation_of_all_authorizations revocation_of_authorization security_violation service_not_allowed ' +
      'stolen_card stop_payment_order transaction_not_allowed try_again_later withdrawal_count_limit_exceeded ' +
      'test_mode_live_card live_mode_test_card testmode_decline',
  ],
)
