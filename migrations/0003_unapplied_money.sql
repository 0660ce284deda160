ALTER TABLE `jobs` ADD `unapplied` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `also_paid_by` text;--> statement-breakpoint
CREATE INDEX `jobs_unapplied` ON `jobs` (`pos`,`created`) WHERE unapplied > 0;