CREATE TABLE `account_checks` (
	`account` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`message` text,
	`since` integer NOT NULL,
	`checked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text NOT NULL,
	`since` integer NOT NULL,
	`told_at` integer,
	`well_since` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_open` ON `alerts` (`kind`,`subject`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `alerts_by_end` ON `alerts` (`ended_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`pos` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`pos`) REFERENCES `points_of_sale`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `api_keys_by_pos` ON `api_keys` (`pos`);--> statement-breakpoint
CREATE TABLE `audit_heads` (
	`day` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `closed_months` (
	`month` text PRIMARY KEY NOT NULL,
	`closed_at` integer NOT NULL,
	`closed_by` text NOT NULL,
	`note` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ended_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `index_findings` (
	`day` text PRIMARY KEY NOT NULL,
	`wrong` integer NOT NULL,
	`checked_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `job_counts` (
	`hour` integer NOT NULL,
	`pos` text NOT NULL,
	`account` text NOT NULL,
	`payment_method` text NOT NULL,
	`currency` text NOT NULL,
	`purged` integer NOT NULL,
	`created` integer NOT NULL,
	`success` integer NOT NULL,
	`failure` integer NOT NULL,
	`cancelled` integer NOT NULL,
	`expired` integer NOT NULL,
	`paid` integer NOT NULL,
	`refunded` integer DEFAULT 0 NOT NULL,
	`charged_back` integer DEFAULT 0 NOT NULL,
	`paid_in_10` integer NOT NULL,
	`paid_in_20` integer NOT NULL,
	`paid_in_40` integer NOT NULL,
	`paid_in_90` integer NOT NULL,
	`paid_in_180` integer NOT NULL,
	`paid_in_600` integer NOT NULL,
	`paid_in_3600` integer NOT NULL,
	`paid_later` integer NOT NULL,
	PRIMARY KEY(`hour`, `pos`, `account`, `payment_method`, `currency`, `purged`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `jobs` (
	`created` integer NOT NULL,
	`id` text NOT NULL,
	`pos` text NOT NULL,
	`account` text NOT NULL,
	`payment_method` text NOT NULL,
	`order_id` text NOT NULL,
	`order_number` text NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`paid` integer NOT NULL,
	`status` text NOT NULL,
	`updated` integer NOT NULL,
	`given_up_at` integer,
	`sequence` integer NOT NULL,
	`reference` text,
	`announcement` text NOT NULL,
	`failing_since` integer,
	`paid_after` integer,
	`refunded` integer DEFAULT 0 NOT NULL,
	`charged_back` integer DEFAULT 0 NOT NULL,
	`movements` text,
	PRIMARY KEY(`pos`, `created`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `jobs_by_order_number` ON `jobs` (`order_number`,`pos`,`created`);--> statement-breakpoint
CREATE INDEX `jobs_given_up` ON `jobs` (`given_up_at`) WHERE given_up_at is not null;--> statement-breakpoint
CREATE INDEX `jobs_by_order_id` ON `jobs` (`order_id`,`pos`,`created`) WHERE order_id <> order_number;--> statement-breakpoint
CREATE INDEX `jobs_failing` ON `jobs` (`pos`,`failing_since`) WHERE failing_since is not null;--> statement-breakpoint
CREATE INDEX `jobs_unannounced` ON `jobs` (`account`,`created`) WHERE announcement = 'due' and status = 'PENDING';--> statement-breakpoint
CREATE TABLE `operator_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`revoked_at` integer,
	`used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_tokens_id_unique` ON `operator_tokens` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `operator_tokens_by_live_name` ON `operator_tokens` (`name`) WHERE revoked_at is null;--> statement-breakpoint
CREATE TABLE `payout_lines` (
	`account` text NOT NULL,
	`payout` text NOT NULL,
	`line` integer NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`job` text,
	`reference` text,
	`order_number` text,
	`gross` integer NOT NULL,
	`fee` integer NOT NULL,
	`text` text NOT NULL,
	`finding` text,
	PRIMARY KEY(`account`, `payout`, `line`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payout_lines_by_job` ON `payout_lines` (`job`) WHERE job is not null;--> statement-breakpoint
CREATE TABLE `payouts` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`paid_at` integer NOT NULL,
	`month` text NOT NULL,
	`is_whole` integer NOT NULL,
	PRIMARY KEY(`account`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `payouts_by_month` ON `payouts` (`month`);--> statement-breakpoint
CREATE TABLE `points_of_sale` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`sign_return` integer NOT NULL,
	`signing_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`tokens_since` integer,
	`secret_made_at` integer,
	`former_secret_until` integer,
	`dialect` text DEFAULT 'v2' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `psp_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`psp` text NOT NULL,
	`mode` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL,
	`unrouted_at` integer
);
--> statement-breakpoint
CREATE TABLE `purges` (
	`day` text PRIMARY KEY NOT NULL,
	`objects` integer NOT NULL,
	`rows` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `routes` (
	`pos` text NOT NULL,
	`payment_method` text NOT NULL,
	`position` integer NOT NULL,
	`account` text NOT NULL,
	PRIMARY KEY(`pos`, `payment_method`, `position`),
	FOREIGN KEY (`pos`) REFERENCES `points_of_sale`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`) REFERENCES `psp_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
