ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `can` text;--> statement-breakpoint
ALTER TABLE `operator_tokens` ADD `expires_at` integer;