CREATE TABLE `__new_jobs` (
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
	`undelivered_at` integer,
	`sequence` integer NOT NULL,
	PRIMARY KEY(`pos`, `created`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_jobs`("created", "id", "pos", "account", "payment_method", "order_id", "order_number", "currency", "amount", "paid", "status", "updated", "undelivered_at", "sequence") SELECT "created", "id", "pos", "account", "payment_method", "order_id", "order_number", "currency", "amount", "paid", "status", "updated", "undelivered_at", "sequence" FROM `jobs`;--> statement-breakpoint
DROP TABLE `jobs`;--> statement-breakpoint
ALTER TABLE `__new_jobs` RENAME TO `jobs`;--> statement-breakpoint
CREATE INDEX `jobs_by_order_number` ON `jobs` (`order_number`,`created`);--> statement-breakpoint
CREATE INDEX `jobs_undelivered` ON `jobs` (`undelivered_at`) WHERE undelivered_at is not null;