CREATE TABLE `account_weather` (
	`account` text NOT NULL,
	`payment_method` text NOT NULL,
	`state` text NOT NULL,
	`since` integer NOT NULL,
	`until` integer NOT NULL,
	`at` integer NOT NULL,
	`last_fault_at` integer,
	PRIMARY KEY(`account`, `payment_method`)
);
--> statement-breakpoint
ALTER TABLE `job_counts` ADD `announced_in_250` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_counts` ADD `announced_in_500` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_counts` ADD `announced_in_1000` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_counts` ADD `announced_in_2000` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_counts` ADD `announced_in_4000` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_counts` ADD `announced_later` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `job_counts` ADD `missed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `announced_in` integer;--> statement-breakpoint
ALTER TABLE `jobs` ADD `missed_at` text;