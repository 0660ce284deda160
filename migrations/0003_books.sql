CREATE TABLE `closed_months` (
	`month` text PRIMARY KEY NOT NULL,
	`closed_at` integer NOT NULL,
	`closed_by` text NOT NULL,
	`note` text NOT NULL
);
--> statement-breakpoint
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
CREATE INDEX `payouts_by_month` ON `payouts` (`month`);