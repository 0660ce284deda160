CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`pos` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`pos`) REFERENCES `points_of_sale`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `api_keys_by_pos` ON `api_keys` (`pos`);--> statement-breakpoint
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
	`undelivered_at` integer,
	`sequence` integer NOT NULL,
	PRIMARY KEY(`created`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `jobs_by_pos` ON `jobs` (`pos`,`created`);--> statement-breakpoint
CREATE INDEX `jobs_by_order_number` ON `jobs` (`order_number`);--> statement-breakpoint
CREATE INDEX `jobs_undelivered` ON `jobs` (`undelivered_at`) WHERE undelivered_at is not null;--> statement-breakpoint
CREATE TABLE `points_of_sale` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`sign_return` integer NOT NULL,
	`signing_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer
);
--> statement-breakpoint
CREATE TABLE `psp_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`psp` text NOT NULL,
	`sealed` text NOT NULL,
	`created_at` integer NOT NULL
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
