ALTER TABLE `payouts` ADD `mode` text DEFAULT 'live' NOT NULL;--> statement-breakpoint
UPDATE `payouts` SET `mode` = 'test' WHERE `account` = 'sandbox' OR `account` IN (SELECT `id` FROM `psp_accounts` WHERE `mode` = 'test');--> statement-breakpoint
CREATE TABLE `__new_closed_months` (
	`month` text NOT NULL,
	`closed_at` integer NOT NULL,
	`closed_by` text NOT NULL,
	`note` text NOT NULL,
	`mode` text DEFAULT 'live' NOT NULL,
	PRIMARY KEY(`mode`, `month`)
);
--> statement-breakpoint
INSERT INTO `__new_closed_months` SELECT `month`, `closed_at`, `closed_by`, `note`, 'live' FROM `closed_months` UNION ALL SELECT `month`, `closed_at`, `closed_by`, `note`, 'test' FROM `closed_months`;--> statement-breakpoint
DROP TABLE `closed_months`;--> statement-breakpoint
ALTER TABLE `__new_closed_months` RENAME TO `closed_months`;
