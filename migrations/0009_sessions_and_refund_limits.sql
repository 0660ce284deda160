CREATE TABLE `counted_refunds` (
	`id` text NOT NULL,
	`amount` integer NOT NULL,
	`pos` text NOT NULL,
	`currency` text NOT NULL,
	`day` text NOT NULL,
	PRIMARY KEY(`id`, `amount`)
);
--> statement-breakpoint
CREATE INDEX `counted_refunds_by_day` ON `counted_refunds` (`day`,`pos`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`name` text NOT NULL,
	`began_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `points_of_sale` ADD `refund_limits` text;